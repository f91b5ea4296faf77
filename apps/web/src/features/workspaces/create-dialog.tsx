"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { cx } from "../../lib/cx.ts";
import { commonTexts } from "../../strings/en/common.ts";
import { workspaceTexts } from "../../strings/en/workspaces.ts";
import { fill } from "../../strings/fill.ts";
import { useTRPC } from "../../trpc/client.ts";
import { type Problem, problemOf } from "../../trpc/problem.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { archivePattern, nameOfArchive, uploadArchive } from "./upload.ts";

const t = workspaceTexts;
const kinds = ["empty", "upload", "clone"] as const;
type Kind = (typeof kinds)[number];

/** Creates a workspace: empty, from an archive, or from a repository; then goes there. */
export default function CreateWorkspaceDialog({ org, onClose }: { org: string; onClose: () => void }): ReactNode {
  const trpc = useTRPC();
  const router = useRouter();
  const cache = useQueryClient();
  const [kind, setKind] = useState<Kind>("empty");
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [file, setFile] = useState<File | null>(null);
  const [percent, setPercent] = useState<number | null>(null);
  const [wrong, setWrong] = useState<{ field: string; text: string } | null>(null);
  const abort = useRef<AbortController>(null);
  const create = useMutation(trpc.workspace.create.mutationOptions());
  const maxMb = useQuery(trpc.system.status.queryOptions({ org })).data?.uploadMaxMb;
  useEffect(() => () => abort.current?.abort(), []);

  const pick = (chosen: File | null) => {
    setFile(chosen);
    const problem = chosen && problemOfFile(chosen, maxMb);
    setWrong(problem ? { field: "file", text: problem } : null);
    if (chosen && name === "") setName(nameOfArchive(chosen.name));
  };
  const fail = (problem: Problem) => {
    const field = problem.field ?? (kind === "upload" ? "file" : kind === "clone" ? "url" : "name");
    const text = problem.code === "NETWORK" && kind === "upload" ? `${t.uploadCut} ${t.uploadCutTodo}` : problem.why;
    setWrong({ field: ["name", "url", "file"].includes(field) ? field : "name", text });
  };
  const upload = async (archive: File) => {
    abort.current = new AbortController();
    setPercent(0);
    const result = await uploadArchive({ org, name, file: archive, signal: abort.current.signal, onProgress: setPercent });
    setPercent(null);
    return result.ok ? result.workspaceId : fail(problemOf(result.error));
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") return setWrong({ field: "name", text: t.nameMissing });
    if (kind === "upload" && !file) return setWrong({ field: "file", text: t.fileMissing });
    if (kind === "upload" && file && problemOfFile(file, maxMb)) return pick(file);
    if (kind === "clone" && !/^https:\/\//i.test(url.trim())) return setWrong({ field: "url", text: t.urlWrong });
    setWrong(null);
    const source = kind === "clone" ? ({ kind, url: url.trim() } as const) : ({ kind: "empty" } as const);
    const made =
      kind === "upload" && file
        ? await upload(file)
        : await create.mutateAsync({ org, name, source }).then(
            ({ workspaceId }) => workspaceId,
            (error) => fail(problemOf(error)),
          );
    if (!made) return;
    await cache.invalidateQueries({ queryKey: trpc.workspace.pathKey() });
    onClose();
    router.push(`/${org}/w/${made}`);
  };
  const errorOf = (field: string) => (wrong?.field === field ? wrong.text : null);

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t.create}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4" noValidate>
        <fieldset>
          <legend className="mb-1.5 font-medium text-sm">{t.start}</legend>
          <div className="grid grid-cols-3 gap-2">
            {kinds.map((one) => (
              <label
                key={one}
                className={cx(
                  "flex cursor-pointer flex-col rounded-box border p-3 text-sm hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2",
                  kind === one && "border-accent bg-accent-wash",
                )}
              >
                <input type="radio" name="kind" value={one} checked={kind === one} onChange={() => setKind(one)} className="sr-only" />
                <span className="font-medium">{t.kinds[one]}</span>
                <span className="text-soft text-xs">{t.kindHints[one]}</span>
              </label>
            ))}
          </div>
        </fieldset>
        {kind === "upload" && (
          <Field label={t.file} hint={maxMb === undefined ? t.fileHint : fill(t.fileLimit, { maxMb })} error={errorOf("file")}>
            {(control) => (
              <input
                {...control}
                type="file"
                accept=".zip,.gz,.tgz,application/zip,application/gzip"
                onChange={(event) => pick(event.target.files?.[0] ?? null)}
                className="rounded-box border border-line-strong bg-card p-1.5 text-sm file:mr-3 file:cursor-pointer file:rounded-md file:border-0 file:bg-hover file:px-3 file:py-1.5 file:text-ink"
              />
            )}
          </Field>
        )}
        {kind === "clone" && (
          <Field label={t.url} hint={t.urlHint} error={errorOf("url")}>
            {(control) => (
              <Input
                {...control}
                type="url"
                inputMode="url"
                value={url}
                onChange={(event) => setUrl(event.target.value)}
                spellCheck={false}
              />
            )}
          </Field>
        )}
        <Field label={t.name} error={errorOf("name")}>
          {(control) => <Input {...control} value={name} maxLength={80} onChange={(event) => setName(event.target.value)} />}
        </Field>
        {percent !== null && <Progress percent={percent} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{commonTexts.cancel}</Button>
          <Button look="primary" type="submit" busy={create.isPending || percent !== null}>
            {t.create}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const mib = 1024 * 1024;

/** Why a file need not be sent: the server would refuse it. */
function problemOfFile({ name, size }: File, maxMb: number | undefined): string | null {
  if (!archivePattern.test(name)) return fill(t.fileWrong, { name });
  if (size === 0) return fill(t.fileEmpty, { name });
  return maxMb !== undefined && size > maxMb * mib ? fill(t.fileLarge, { name, mb: Math.ceil(size / mib), maxMb }) : null;
}

const Progress = ({ percent }: { percent: number }): ReactNode => (
  <div>
    <progress value={percent} max={100} aria-label={t.file} className="h-1.5 w-full overflow-hidden rounded-full accent-accent" />
    <p role="status" className="tabular text-soft text-tool">
      {percent < 100 ? fill(t.uploading, { percent }) : t.unpacking}
    </p>
  </div>
);
