"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { MonitorSmartphone } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { accountTexts } from "../../strings/en/account.ts";
import { authTexts } from "../../strings/en/auth.ts";
import { useTRPC } from "../../trpc/client.ts";
import type { LoginItem } from "../../trpc/outputs.ts";
import { problemOf } from "../../trpc/problem.ts";
import { ProblemState } from "../../trpc/problem-state.tsx";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";

const ConfirmDialog = lazy(() => import("../../ui/confirm-dialog.tsx"));

const t = accountTexts;

/** The person, their organisations, and the browsers they are signed in with. */
export function AccountPage(): ReactNode {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const me = useQuery(trpc.me.get.queryOptions());
  const logins = useQuery(trpc.me.logins.queryOptions());
  const refresh = () => cache.invalidateQueries({ queryKey: trpc.me.logins.queryKey() });
  const revoke = useMutation(trpc.me.revokeLogin.mutationOptions({ onSettled: refresh }));
  const revokeAll = useMutation(trpc.me.revokeAllLogins.mutationOptions({ onSuccess: () => location.assign("/signin") }));
  const error = me.error ?? logins.error;
  return (
    <Page title={t.title}>
      {error ? (
        <ProblemState error={error} onRetry={() => void cache.refetchQueries()} />
      ) : (
        <>
          <section aria-labelledby="you" className="mb-10">
            <h2 id="you" className="mb-3 font-medium text-base">
              {t.profile}
            </h2>
            {me.data ? (
              <dl className="divide-y rounded-box border bg-card text-sm">
                <Row name={authTexts.name} value={me.data.user.name} />
                <Row name={authTexts.email} value={me.data.user.email} />
                <Row name={t.orgs} value={me.data.orgs.map((org) => `${org.name} (${org.role})`).join(", ")} />
              </dl>
            ) : (
              <SkeletonRows rows={3} className="h-9" />
            )}
          </section>
          <section aria-labelledby="browsers">
            <div className="mb-3 flex flex-wrap items-end justify-between gap-3">
              <div>
                <h2 id="browsers" className="font-medium text-base">
                  {t.browsers}
                </h2>
                <p className="text-soft">{t.browsersText}</p>
              </div>
              <Button look="danger" onClick={() => setAsking(true)}>
                {t.revokeAll}
              </Button>
            </div>
            {logins.data ? (
              <ul className="divide-y rounded-box border bg-card">
                {logins.data.map((login) => (
                  <LoginRow key={login.id} login={login} isBusy={revoke.isPending} onRevoke={() => revoke.mutate({ loginId: login.id })} />
                ))}
              </ul>
            ) : (
              <SkeletonRows rows={2} className="h-14" />
            )}
            {revoke.error && (
              <p role="alert" className="mt-2 text-bad text-tool">
                {problemOf(revoke.error).why}
              </p>
            )}
          </section>
        </>
      )}
      {isAsking && (
        <Suspense>
          <ConfirmDialog
            onClose={() => setAsking(false)}
            title={t.revokeAllTitle}
            text={t.revokeAllText}
            action={t.revokeAll}
            isBusy={revokeAll.isPending}
            error={revokeAll.error ? problemOf(revokeAll.error).why : null}
            onConfirm={() => revokeAll.mutate()}
          />
        </Suspense>
      )}
    </Page>
  );
}

const Row = ({ name, value }: { name: string; value: string }): ReactNode => (
  <div className="flex flex-wrap gap-x-6 px-4 py-2.5">
    <dt className="w-full text-soft sm:w-32">{name}</dt>
    <dd className="min-w-0 flex-1 break-words">{value}</dd>
  </div>
);

function LoginRow({ login, isBusy, onRevoke }: { login: LoginItem; isBusy: boolean; onRevoke: () => void }): ReactNode {
  const [before, after] = t.seen.split("{when}");
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <MonitorSmartphone aria-hidden className="size-5 shrink-0 text-soft" />
      <div className="min-w-0 flex-1 text-sm">
        <p>
          {before}
          <Time at={login.lastSeenAt} />
          {after}
          {login.isCurrent && <span className="ml-2 rounded-full border bg-accent-wash px-2 py-0.5 text-accent text-xs">{t.current}</span>}
        </p>
        <p className="text-soft text-xs">
          {t.since.replace("{when}", "")}
          <Time at={login.createdAt} /> ·{" "}
          {t.expires.replace("{when}", new Date(login.expiresAt).toLocaleDateString("en", { dateStyle: "medium" }))}
        </p>
      </div>
      {!login.isCurrent && (
        <Button size="small" onClick={onRevoke} disabled={isBusy}>
          {t.revoke}
        </Button>
      )}
    </li>
  );
}
