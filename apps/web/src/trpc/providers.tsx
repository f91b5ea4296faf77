"use client";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { makeClient, TRPCProvider } from "./client.ts";
import { isSignedOut, problemOf } from "./problem.ts";

const maxRetries = 2;

function makeQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (isSignedOut(error)) location.assign(`/signin?next=${encodeURIComponent(location.pathname + location.search)}`);
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { staleTime: 5_000, retry: (count, error) => count < maxRetries && problemOf(error).canRetry },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

/** What every page needs: the API client, its cache. */
export function Providers({ children }: { children: ReactNode }): ReactNode {
  const [queryClient] = useState(makeQueryClient);
  const [trpcClient] = useState(makeClient);
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider queryClient={queryClient} trpcClient={trpcClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
