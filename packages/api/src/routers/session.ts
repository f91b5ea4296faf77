import {
  CancelTurn,
  ChangeQueue,
  CreateSession,
  ForkSession,
  ListEvents,
  ListSessions,
  RenameSession,
  RunCommand,
  SearchSessions,
  SelectPreset,
  SendMessage,
  SessionInput,
  SessionProjectionsInput,
  SetPermission,
  StreamInput,
} from "@gantry/contracts";
import {
  cancelTurn,
  changeQueue,
  createSession,
  forkSession,
  getProjections,
  getSentAgent,
  getSession,
  listEvents,
  listSessions,
  renameSession,
  runCommand,
  searchForPeople,
  selectPreset,
  sendMessage,
  setPermission,
  streamSession,
} from "@gantry/services";
import { trackedBatches } from "../tracked-batches.ts";
import { memberProcedure, orgProcedure, router } from "../trpc.ts";

export const sessionRouter = router({
  list: orgProcedure.input(ListSessions).query(({ ctx, input }) => listSessions(ctx.service, input)),
  get: orgProcedure.input(SessionInput).query(({ ctx, input }) => getSession(ctx.service, input)),
  agent: orgProcedure.input(SessionInput).query(({ ctx, input }) => getSentAgent(ctx.service, input)),
  events: orgProcedure.input(ListEvents).query(({ ctx, input }) => listEvents(ctx.service, input)),
  search: orgProcedure.input(SearchSessions).query(({ ctx, input }) => searchForPeople(ctx.service, input)),
  projections: orgProcedure.input(SessionProjectionsInput).query(({ ctx, input }) => getProjections(ctx.service, input)),
  stream: orgProcedure
    .input(StreamInput)
    .subscription(({ ctx, input, signal }) => trackedBatches((stop) => streamSession(ctx.service, input, stop), signal)),
  create: memberProcedure.input(CreateSession).mutation(({ ctx, input }) => createSession(ctx.service, input)),
  fork: memberProcedure.input(ForkSession).mutation(({ ctx, input }) => forkSession(ctx.service, input)),
  send: memberProcedure.input(SendMessage).mutation(({ ctx, input }) => sendMessage(ctx.service, input)),
  cancel: memberProcedure.input(CancelTurn).mutation(({ ctx, input }) => cancelTurn(ctx.service, input)),
  queue: memberProcedure.input(ChangeQueue).mutation(({ ctx, input }) => changeQueue(ctx.service, input)),
  command: memberProcedure.input(RunCommand).mutation(({ ctx, input }) => runCommand(ctx.service, input)),
  selectPreset: memberProcedure.input(SelectPreset).mutation(({ ctx, input }) => selectPreset(ctx.service, input)),
  setPermission: memberProcedure.input(SetPermission).mutation(({ ctx, input }) => setPermission(ctx.service, input)),
  rename: memberProcedure.input(RenameSession).mutation(({ ctx, input }) => renameSession(ctx.service, input)),
});
