/** The proxy writes the address of the page into this header of the request: a layout is not told it otherwise. */
export const pathHeader = "x-gantry-path";
