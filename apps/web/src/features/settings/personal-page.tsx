"use client";
import type { ReactNode } from "react";
import { admin } from "../../strings/en/admin.ts";
import { LevelPage } from "./level-page.tsx";

const t = admin.settings;

/** What members set for themselves, in this organisation. */
export const PersonalPage = ({ org }: { org: string }): ReactNode => (
  <LevelPage org={org} level="user" title={t.personalTitle} lead={t.personalLead} emptyText={t.personalEmpty} />
);
