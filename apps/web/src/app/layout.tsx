import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { isPinned, themeCookie } from "../lib/theme.ts";
import { commonTexts } from "../strings/en/common.ts";
import { Providers } from "./shell.tsx";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: commonTexts.product, template: `%s · ${commonTexts.product}` },
  icons: { icon: "/icon.svg" },
};
export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  interactiveWidget: "resizes-content",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f8f8fa" },
    { media: "(prefers-color-scheme: dark)", color: "#121317" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }): Promise<ReactNode> {
  const pinned = (await cookies()).get(themeCookie)?.value;
  return (
    <html lang="en" {...(isPinned(pinned) && { "data-theme": pinned })} suppressHydrationWarning>
      <body>
        <Providers>{children}</Providers>
      </body>
    </html>
  );
}
