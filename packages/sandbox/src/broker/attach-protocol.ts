/** The name of the protocol in the HTTP upgrade that gives a worker the stdio of a world. */
export const attachProtocol = "gantry-stdio";
