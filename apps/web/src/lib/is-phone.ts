/** Where a focus in a text brings up a keyboard over half the screen, it is moved for nobody. */
export const isPhone = (): boolean => matchMedia("(pointer: coarse)").matches;
