import { SESv2Client, SendEmailCommand } from "@aws-sdk/client-sesv2";

export const commands = [SESv2Client, SendEmailCommand];
