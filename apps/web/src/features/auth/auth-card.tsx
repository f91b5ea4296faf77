import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { authTexts } from "../../strings/en/auth.ts";
import { Logo } from "../../ui/logo.tsx";

/** The page of people who are not signed in: the form, and what the product is. */
export const AuthCard = ({ title, children }: { title: string; children: ReactNode }): ReactNode => (
  <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
    <main id="content" className="flex flex-col justify-center px-6 py-12">
      <div className="mx-auto w-full max-w-sm">
        <Logo className="mb-6 size-9" />
        <h1 className="mb-6 font-semibold text-xl">{title}</h1>
        {children}
      </div>
    </main>
    <aside className="hidden flex-col justify-center border-l bg-panel px-12 lg:flex">
      <p className="max-w-md font-semibold text-2xl leading-8">{authTexts.pitch}</p>
      <ul className="mt-6 flex max-w-md flex-col gap-3 text-base text-soft">
        {authTexts.pitchPoints.map((point) => (
          <li key={point} className="flex gap-3">
            <Check aria-hidden className="mt-1 size-4 shrink-0 text-accent" /> {point}
          </li>
        ))}
      </ul>
    </aside>
  </div>
);
