import { useParams } from '@tanstack/react-router'
import {
  type Dispatch,
  lazy,
  type ReactNode,
  type SetStateAction,
  Suspense,
  useEffect,
} from 'react'
import { environmentOf } from '../api/environment.ts'
import { useSession } from '../api/session.ts'
import type { KeptEnvironment } from './kept-environment.ts'
import { RECENT_KINDS, type RecentKind, rememberRecent } from './palette/recent.ts'
import { useShortcuts } from './shortcuts.ts'

const Palette = lazy(async () => ({
  default: (await import('./palette/palette.tsx')).Palette,
}))
const ShortcutsDialog = lazy(async () => ({
  default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog,
}))

export type Opened = 'palette' | 'shortcuts' | undefined

export interface FindingProps {
  chosen: KeptEnvironment
  opened: Opened
  setOpened: Dispatch<SetStateAction<Opened>>
}

/** What keyboard shortcuts open; the code is loaded with the first of them. */
export function Finding({ chosen, opened, setOpened }: FindingProps): ReactNode {
  const { organization } = useSession()
  const { team, env } = chosen
  useShortcuts(chosen, setOpened)
  useRecentPages(chosen)
  const close = (): void => setOpened(undefined)
  return (
    <Suspense fallback={null}>
      {opened === 'palette' && (
        <Palette environment={environmentOf(organization.id, team, env)} onClose={close} />
      )}
      {opened === 'shortcuts' && <ShortcutsDialog isOpen onClose={close} />}
    </Suspense>
  )
}

/** Remembers which people, orders and events were opened. */
function useRecentPages({ team, env }: KeptEnvironment): void {
  const params = useParams({ strict: false }) as Partial<Record<RecentKind, string>>
  const kind = RECENT_KINDS.find((one) => params[one] !== undefined)
  const id = kind && params[kind]
  useEffect(() => {
    if (kind !== undefined && id !== undefined) rememberRecent({ team, env, kind, id })
  }, [team, env, kind, id])
}
