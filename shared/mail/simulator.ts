/** An address of Amazon SES that accepts every mail and delivers none, also in SES's sandbox. */
export const simulatorAddress = "success@simulator.amazonses.com";
