import { defineConfig } from "prisma/config";

/** Migrations run as the owner of the tables; `generate` and `validate` connect to nothing. */
export default defineConfig({
  schema: "prisma/schema",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env.MIGRATION_DATABASE_URL ?? "postgresql://gantry_owner@127.0.0.1:5432/gantry" },
});
