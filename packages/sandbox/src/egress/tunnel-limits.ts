// Apart from the schemas: sandboxd needs these numbers and must not carry a schema library into every start.

/** Bytes of one tunnel and direction that may be under way, unacknowledged. */
export const windowBytes = 512 * 1024;
/** Bytes of one frame. */
export const chunkBytes = 64 * 1024;
/** Tunnels of one world at a time: with the window it bounds what either side ever holds. */
export const maxTunnels = 32;
