"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ShieldAlert, ShieldCheck, ShieldEllipsis } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { permissionTexts } from "../../strings/en/permissions.ts";
import { useTRPC } from "../../trpc/client.ts";
import { problemOf } from "../../trpc/problem.ts";
import { QuietSelect } from "../../ui/quiet-select.tsx";
import { newClientKey } from "./outbox.ts";

const ConfirmDialog = lazy(() => import("../../ui/confirm-dialog.tsx"));

const t = permissionTexts;
const danger = "danger-full-access";
const permissionNames = Object.entries(t.names);

type SelectProps = { value: string; onChange: (name: string) => void; className?: string; disabled?: boolean };

/** The permission presets that ship; anything else shows as custom. Full access is asked about before. */
export function PermissionField({ value, onChange, className, disabled = false }: SelectProps): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const isKnown = Object.hasOwn(t.names, value);
  const isDanger = value === danger;
  const Icon = isDanger ? ShieldAlert : isKnown ? ShieldCheck : ShieldEllipsis;
  return (
    <>
      <QuietSelect
        icon={Icon}
        {...(isDanger && { tone: "text-bad" })}
        aria-label={t.label}
        title={isKnown ? t.hints[value as keyof typeof t.hints] : undefined}
        value={isKnown ? value : "custom"}
        disabled={disabled}
        onChange={({ target }) => (target.value === danger ? setAsking(true) : onChange(target.value))}
        className={className}
      >
        {!isKnown && (
          <option value="custom" disabled>
            {t.custom}
          </option>
        )}
        {permissionNames.map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </QuietSelect>
      {isAsking && (
        <Suspense>
          <ConfirmDialog
            onClose={() => setAsking(false)}
            title={t.dangerTitle}
            text={t.dangerText}
            action={t.danger}
            isBusy={false}
            error={null}
            onConfirm={() => {
              setAsking(false);
              onChange(danger);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

type Props = { org: string; sessionId: string; current: string };

/** What the session may touch from its next policy decision on; the log says when the change has happened (PRM-5). */
export default function PermissionSelect({ org, sessionId, current }: Props): ReactNode {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const [picked, setPicked] = useState<{ name: string; from: string } | null>(null);
  const set = useMutation(
    trpc.session.setPermission.mutationOptions({
      onError: () => setPicked(null),
      onSuccess: () => cache.invalidateQueries({ queryKey: trpc.session.get.queryKey({ org, sessionId }) }),
    }),
  );
  // what was picked stands until the session says anything new
  const shown = picked && picked.from === current ? picked.name : current;
  return (
    <>
      <PermissionField
        value={shown}
        disabled={set.isPending}
        onChange={(preset) => {
          setPicked({ name: preset, from: current });
          set.mutate({ org, sessionId, preset, clientKey: newClientKey() });
        }}
      />
      {set.error && (
        <span role="alert" className="text-bad text-xs">
          {t.failed} {problemOf(set.error).why}
        </span>
      )}
    </>
  );
}
