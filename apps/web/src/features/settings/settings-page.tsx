"use client";
import type { ReactNode } from "react";
import { admin } from "../../strings/en/admin.ts";
import { LevelPage } from "./level-page.tsx";

const t = admin.settings;

/** The organisation's defaults. */
export const SettingsPage = ({ org }: { org: string }): ReactNode => (
  <LevelPage org={org} level="org" title={t.title} lead={t.lead} emptyText={t.emptyText} />
);
