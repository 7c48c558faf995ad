import { useNavigate } from '@tanstack/react-router'
import { type Dispatch, type SetStateAction, useEffect } from 'react'
import type { Opened } from './finding.tsx'
import type { KeptEnvironment } from './kept-environment.ts'

/** Pages by the key that is pressed after G. */
export const PAGE_KEYS = [
  { key: 'o', title: 'Overview', path: 'overview' },
  { key: 'p', title: 'People', path: 'people' },
  { key: 'r', title: 'Orders', path: 'orders' },
  { key: 'e', title: 'Events', path: 'events' },
  { key: 'w', title: 'Webhooks', path: 'webhooks' },
] as const

/** After G the next key has to come within this time. */
const CHORD_MS = 1_500

const OFF = 'salus-single-keys-off'

/** Whether single keys, which a speech input may type by mistake, do something. */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(OFF) === null
  } catch {
    return true
  }
}

export function switchSingleKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(OFF)
    else localStorage.setItem(OFF, '1')
  } catch {
    // Without storage the choice ends with the page.
  }
}

/**
 * Listens to the shortcuts of an environment. Ctrl-K works everywhere, single keys where no text is
 * typed.
 */
export function useShortcuts(
  { team, env }: KeptEnvironment,
  setOpened: Dispatch<SetStateAction<Opened>>,
): void {
  const navigate = useNavigate()
  useEffect(() => {
    let pressedG = Number.NEGATIVE_INFINITY
    const onKeyDown = (event: KeyboardEvent): void => {
      const key = event.key.toLowerCase()
      if (event.defaultPrevented) return
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && key === 'k') {
        event.preventDefault()
        setOpened((old) => (old === 'palette' ? undefined : 'palette'))
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
      if (!areSingleKeysOn()) return
      const page = PAGE_KEYS.find((one) => one.key === key)
      if (page !== undefined && event.timeStamp - pressedG < CHORD_MS) {
        navigate({ to: `/${team}/${env}/${page.path}` })
      } else if (key === '/') setOpened('palette')
      else if (key === '?') setOpened('shortcuts')
      else {
        pressedG = key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
        return
      }
      pressedG = Number.NEGATIVE_INFINITY
      event.preventDefault()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [team, env, setOpened, navigate])
}

/** Whether the key belongs to a field or to an open dialog. */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath()
  const isField =
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select'))
  return isField || document.querySelector('dialog[open]') !== null
}
