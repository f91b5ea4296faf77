import { accountRouter } from "./routers/account.ts";
import { compositionRouter } from "./routers/composition.ts";
import { feedbackRouter } from "./routers/feedback.ts";
import { meRouter } from "./routers/me.ts";
import { pluginRouter } from "./routers/plugin.ts";
import { presetRouter } from "./routers/preset.ts";
import { promptRouter } from "./routers/prompt.ts";
import { providerRouter } from "./routers/provider.ts";
import { sessionRouter } from "./routers/session.ts";
import { settingsRouter } from "./routers/settings.ts";
import { systemRouter } from "./routers/system.ts";
import { workspaceRouter } from "./routers/workspace.ts";
import { router } from "./trpc.ts";

export const appRouter = router({
  account: accountRouter,
  me: meRouter,
  workspace: workspaceRouter,
  session: sessionRouter,
  feedback: feedbackRouter,
  prompt: promptRouter,
  provider: providerRouter,
  preset: presetRouter,
  composition: compositionRouter,
  plugin: pluginRouter,
  settings: settingsRouter,
  system: systemRouter,
});

/** For the browser: `import type` only. */
export type AppRouter = typeof appRouter;
