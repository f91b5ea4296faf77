/** Pictures from outside: what they are, whether they are harmless, and how they are made small. The only user of sharp. */
export { type AdmittedImage, admitImage } from "./images/admit.ts";
export { type AnyImageType, imageTypeOf } from "./images/image-type.ts";
export { type RequestImage, requestVariant } from "./images/request-variant.ts";
