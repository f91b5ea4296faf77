"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Copy, Ellipsis, Star, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { presets as t } from "../../strings/en/presets.ts";
import { fill } from "../../strings/fill.ts";
import { useTRPC } from "../../trpc/client.ts";
import type { PresetDetail } from "../../trpc/outputs.ts";
import { problemOf } from "../../trpc/problem.ts";
import { Button } from "../../ui/button.tsx";
import { Menu, MenuItem, MenuLine } from "../../ui/menu.tsx";

const ConfirmDialog = lazy(() => import("../../ui/confirm-dialog.tsx"));
const CreateDialog = lazy(() => import("./create-dialog.tsx"));

/** What can be done with a preset as a whole. */
export function PresetActions({ org, preset }: { org: string; preset: PresetDetail }): ReactNode {
  const trpc = useTRPC();
  const router = useRouter();
  const cache = useQueryClient();
  const [opened, setOpened] = useState<"copy" | "remove" | "default" | null>(null);
  const others = useQuery(trpc.preset.list.queryOptions({ org })).data ?? [];
  const refresh = () => Promise.all([trpc.preset, trpc.settings].map((area) => cache.invalidateQueries({ queryKey: area.pathKey() })));
  const close = () => setOpened(null);
  const onSuccess = async () => {
    close();
    await refresh();
  };
  const setDefault = useMutation(trpc.preset.setDefault.mutationOptions({ onSuccess }));
  const remove = useMutation(
    trpc.preset.remove.mutationOptions({
      onSuccess: async () => {
        router.push(`/${org}/admin/presets`);
        await cache.invalidateQueries({ queryKey: trpc.preset.list.queryKey() });
      },
    }),
  );
  return (
    <div className="flex gap-2">
      <Button onClick={() => setOpened("copy")} {...(preset.isPlatform && { look: "primary" })}>
        <Copy aria-hidden className="size-4" /> {preset.isPlatform ? t.copyToChange : t.copy}
      </Button>
      {(!preset.isDefault || !preset.isPlatform) && (
        <Menu
          align="end"
          trigger={
            <Button size="icon" aria-label={t.actions} className="size-9">
              <Ellipsis aria-hidden className="size-4" />
            </Button>
          }
        >
          {!preset.isDefault && (
            <MenuItem onSelect={() => setOpened("default")}>
              <Star aria-hidden className="size-4" /> {t.setDefault}
            </MenuItem>
          )}
          {!preset.isDefault && !preset.isPlatform && <MenuLine />}
          {!preset.isPlatform && (
            <MenuItem danger onSelect={() => setOpened("remove")}>
              <Trash2 aria-hidden className="size-4" /> {t.remove}
            </MenuItem>
          )}
        </Menu>
      )}
      <Suspense>
        {opened === "copy" && <CreateDialog org={org} copyOf={preset} others={others} onClose={close} />}
        {opened === "default" && (
          <ConfirmDialog
            title={t.setDefault}
            text={t.setDefaultDone}
            action={t.setDefault}
            look="primary"
            isBusy={setDefault.isPending}
            error={setDefault.error && problemOf(setDefault.error).why}
            onConfirm={() => setDefault.mutate({ org, slug: preset.slug })}
            onClose={close}
          />
        )}
        {opened === "remove" && (
          <ConfirmDialog
            title={fill(t.removeTitle, { name: preset.name })}
            text={t.removeText}
            action={t.remove}
            isBusy={remove.isPending || remove.isSuccess}
            error={remove.error && problemOf(remove.error).why}
            onConfirm={() => remove.mutate({ org, slug: preset.slug })}
            onClose={close}
          />
        )}
      </Suspense>
    </div>
  );
}
