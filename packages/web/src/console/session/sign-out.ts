import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { baseUrl, CONSOLE_HEADER, clearTokens } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'
import { forgetRecent } from '../shell/palette/recent.ts'

/** The server ends a session after this time without use. */
const IDLE_MS = 30 * 60_000
const CHECK_EVERY_MS = 15_000
/**
 * The server receives a request at least this often while the user is active, even if the page
 * needs no data.
 */
const RENEW_AFTER_MS = 10 * 60_000
/** Tabs of a browser share the session, and report activity to each other at this interval. */
const REPORT_EVERY_MS = 10_000
const USES = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

/** Ends the session, and clears the data of the page, even if the server cannot be reached. */
export function useSignOut(): () => Promise<void> {
  const queryClient = useQueryClient()
  const router = useRouter()
  const [signOut] = useState(() => async (): Promise<void> => {
    const address = `${baseUrl}/v1/console/session`
    await fetch(address, { method: 'DELETE', headers: CONSOLE_HEADER }).catch(() => {})
    clearTokens()
    forgetRecent()
    queryClient.clear()
    queryClient.setQueryData(sessionQuery.queryKey, null)
    await router.navigate({ to: '/signin' })
  })
  return signOut
}

/** Signs out after half an hour without activity: the screen may show health data. */
export function useIdleSignOut(): void {
  const signOut = useSignOut()
  const queryClient = useQueryClient()
  useEffect(() => {
    const otherTabs = new BroadcastChannel('salus-console')
    let usedAt = Date.now()
    let reportedAt = 0
    // A machine that was asleep wakes up with a touch, after the session has ended.
    const isOver = (): boolean => Date.now() - usedAt >= IDLE_MS
    const use = (): void => {
      if (isOver()) return
      usedAt = Date.now()
      if (usedAt - reportedAt < REPORT_EVERY_MS) return
      reportedAt = usedAt
      otherTabs.postMessage('used')
    }
    const check = setInterval(() => {
      if (isOver()) signOut()
      else if (Date.now() - usedAt < CHECK_EVERY_MS) {
        queryClient.prefetchQuery({ ...sessionQuery, staleTime: RENEW_AFTER_MS })
      }
    }, CHECK_EVERY_MS)
    otherTabs.addEventListener('message', () => {
      usedAt = Date.now()
    })
    for (const type of USES) addEventListener(type, use, { passive: true })
    return () => {
      clearInterval(check)
      otherTabs.close()
      for (const type of USES) removeEventListener(type, use)
    }
  }, [signOut, queryClient])
}
