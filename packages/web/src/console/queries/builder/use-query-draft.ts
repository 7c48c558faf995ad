import { useNavigate, useRouterState } from '@tanstack/react-router'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { invalidFieldsOf } from '../../api/api-error.ts'
import type { QueryEditorHandle } from '../query-editor.tsx'
import { formatQuery } from '../query-examples.ts'
import { type BuilderQuery, type Read, readRequest, toRequest } from './builder-query.ts'

/** One query in two forms: its text, and the fields where they can show it. */
export interface QueryDraft {
  text: string
  read: Read
  editor: RefObject<QueryEditorHandle | null>
  /** Address of the page with the query. */
  link: string
  /** Takes a text that was typed in the editor. */
  write: (text: string) => void
  /** Replaces the text. */
  replace: (text: string) => void
  /** Changes fields, and the text with them. */
  change: (changes: Partial<BuilderQuery>) => void
}

const PARAMETER = 'query'
/** The address follows after a pause in typing. */
const PAUSE_MS = 400

/**
 * Returns the query of the address. It is behind the #, because servers log what is before it, and
 * a filter may have a text.
 */
function readAddress(): string | undefined {
  const packed = new URLSearchParams(location.hash.slice(1)).get(PARAMETER)
  if (packed === null) return undefined
  try {
    const bytes = atob(packed.replaceAll('-', '+').replaceAll('_', '/'))
    const text = new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
    return formatQuery(JSON.parse(text))
  } catch {
    return undefined
  }
}

/**
 * Returns the part of an address behind the #: base64url, which no browser writes in another way.
 * @returns undefined for a text that is not JSON
 */
function toHash(text: string): string | undefined {
  try {
    const bytes = new TextEncoder().encode(JSON.stringify(JSON.parse(text)))
    const packed = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    return `${PARAMETER}=${packed.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
  } catch {
    return undefined
  }
}

function readText(text: string): Read {
  try {
    return readRequest(JSON.parse(text))
  } catch {
    return { reason: 'It is not valid JSON yet.' }
  }
}

/** Keeps the text, the fields and the address of a query in step. */
export function useQueryDraft(makeText: () => string): QueryDraft {
  const [text, setText] = useState(() => readAddress() ?? makeText())
  const [read, setRead] = useState<Read>(() => readText(text))
  const editor = useRef<QueryEditorHandle>(null)
  /** The text that the fields wrote, which is not read again: fields may be incomplete. */
  const written = useRef<string>(undefined)
  const write = useCallback((next: string) => {
    setText(next)
    if (next !== written.current) setRead(readText(next))
  }, [])
  const replace = useCallback((next: string) => editor.current?.replace(next), [])
  const change = (changes: Partial<BuilderQuery>): void => {
    if (!('query' in read)) return
    const query = { ...read.query, ...changes }
    setRead({ query })
    written.current = formatQuery(toRequest(query))
    replace(written.current)
  }
  useAddress(text)
  const hash = toHash(text)
  const link = hash === undefined ? location.href : `${location.href.split('#')[0]}#${hash}`
  return { text, read, editor, link, write, replace, change }
}

/** Writes the query into the address, once it is JSON, and again when a link removed it. */
function useAddress(text: string): void {
  const navigate = useNavigate()
  const current = useRouterState({ select: ({ location: { hash } }) => hash })
  useEffect(() => {
    const hash = toHash(text)
    if (hash === undefined || hash === current) return undefined
    const timer = setTimeout(
      () =>
        navigate({
          to: '.',
          search: true,
          hash,
          replace: true,
          resetScroll: false,
          hashScrollIntoView: false,
        }),
      PAUSE_MS,
    )
    return () => clearTimeout(timer)
  }, [text, current, navigate])
}

/** Returns the messages of a refused query by the place of the fields that they are about. */
export function readErrors(error: unknown, query: BuilderQuery): Record<string, string> {
  // Keys of groups, or the index, are before the values.
  const isGrouped = query.mode === 'groups'
  const hasFirst =
    query.hasKeys && (!isGrouped || query.bucket || query.part || query.by.length > 0)
  const before = hasFirst ? 1 : 0
  const messages = Object.entries(invalidFieldsOf(error)).map(([path, message]) => {
    const [root, , part, position] = path.split('.')
    if (root !== 'queries') return [root ?? '', message]
    return part === 'select' ? [`select.${Number(position) - before}`, message] : [part, message]
  })
  return Object.fromEntries(messages)
}
