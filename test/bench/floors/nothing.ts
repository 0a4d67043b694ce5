export const handler = async () => [];
