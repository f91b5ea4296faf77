"use client";
import { useEffect, useState } from "react";

type KeptEdit<T> = {
  readonly edit: T | null;
  /** null: saved or discarded */
  readonly setEdit: (edit: T | null) => void;
  /** it was there when the page opened: begun earlier in this tab */
  readonly isBack: boolean;
};

/** Work that is not saved yet. It stays in this browser tab under `key`, so that another page or a reload does not lose it; closing the tab asks first. */
export function useKeptEdit<T>(key: string): KeptEdit<T> {
  const [edit, setEdit] = useState<T | null>(() => read<T>(key));
  const [isBack, setBack] = useState(edit !== null);
  useEffect(
    function keep() {
      if (edit === null) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, JSON.stringify(edit));
    },
    [key, edit],
  );
  const isOpen = edit !== null;
  useEffect(
    function askBeforeLeaving() {
      if (!isOpen) return;
      const ask = (event: BeforeUnloadEvent) => event.preventDefault();
      addEventListener("beforeunload", ask);
      return () => removeEventListener("beforeunload", ask);
    },
    [isOpen],
  );
  return {
    edit,
    isBack: isBack && isOpen,
    setEdit: (next) => {
      if (next === null) setBack(false);
      setEdit(next);
    },
  };
}

function read<T>(key: string): T | null {
  if (typeof window === "undefined") return null;
  const text = sessionStorage.getItem(key);
  return text === null ? null : (JSON.parse(text) as T);
}
