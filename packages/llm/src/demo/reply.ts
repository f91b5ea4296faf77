/** What the scripted model says in one step. */
export type DemoReply = {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly DemoCall[];
};
export type DemoCall = { readonly name: string; readonly arguments: object };
