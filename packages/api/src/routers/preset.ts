import {
  CheckPreset,
  CreatePreset,
  DiffPreset,
  DiscardDraft,
  ListPresetSessions,
  OrgInput,
  PresetInput,
  PresetRevisionInput,
  RollBackPreset,
  SavePreset,
} from "@gantry/contracts";
import {
  checkPresetSource,
  createPreset,
  diffPreset,
  discardDraft,
  getPreset,
  getPresetHints,
  getPresetRevision,
  listPresetSessions,
  listPresets,
  removePreset,
  rollBackPreset,
  savePreset,
  setDefaultPreset,
} from "@gantry/services";
import { adminProcedure, orgProcedure, router } from "../trpc.ts";

/** `check` changes nothing; it is sent as a change because a whole text does not fit into an address. */
export const presetRouter = router({
  list: orgProcedure.input(OrgInput).query(({ ctx }) => listPresets(ctx.service)),
  get: adminProcedure.input(PresetInput).query(({ ctx, input }) => getPreset(ctx.service, input)),
  revision: adminProcedure.input(PresetRevisionInput).query(({ ctx, input }) => getPresetRevision(ctx.service, input)),
  diff: adminProcedure.input(DiffPreset).query(({ ctx, input }) => diffPreset(ctx.service, input)),
  sessions: adminProcedure.input(ListPresetSessions).query(({ ctx, input }) => listPresetSessions(ctx.service, input)),
  hints: adminProcedure.input(OrgInput).query(() => getPresetHints()),
  check: adminProcedure.input(CheckPreset).mutation(({ ctx, input }) => checkPresetSource(ctx.service, input)),
  create: adminProcedure.input(CreatePreset).mutation(({ ctx, input }) => createPreset(ctx.service, input)),
  save: adminProcedure.input(SavePreset).mutation(({ ctx, input }) => savePreset(ctx.service, input)),
  discardDraft: adminProcedure.input(DiscardDraft).mutation(({ ctx, input }) => discardDraft(ctx.service, input)),
  rollBack: adminProcedure.input(RollBackPreset).mutation(({ ctx, input }) => rollBackPreset(ctx.service, input)),
  setDefault: adminProcedure.input(PresetInput).mutation(({ ctx, input }) => setDefaultPreset(ctx.service, input)),
  remove: adminProcedure.input(PresetInput).mutation(({ ctx, input }) => removePreset(ctx.service, input)),
});
