"use client";
import type { AppRouter } from "@gantry/api";
import { createTRPCClient, httpBatchStreamLink, httpSubscriptionLink, splitLink, type TRPCClient } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { wireData } from "./wire-data.ts";

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

const url = "/api/trpc";

/** Subscriptions as an event stream, everything else batched. */
export function makeClient(): TRPCClient<AppRouter> {
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (op) => op.type === "subscription",
        true: httpSubscriptionLink({ url, transformer: wireData }),
        false: httpBatchStreamLink({ url, transformer: wireData, headers: { "x-gantry-client": "web" } }),
      }),
    ],
  });
}
