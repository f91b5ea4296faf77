"use client";
export { BrokenPage as default } from "./shell.tsx";
