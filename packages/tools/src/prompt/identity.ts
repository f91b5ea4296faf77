/** Who the model is here, whatever persona the deployment or a preset adds. */
export const identityText = "You are an agent of Gantry, a service where a team works with you on the files of a shared workspace.";
