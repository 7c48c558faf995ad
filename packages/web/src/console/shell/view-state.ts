import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useState } from 'react'

/**
 * Returns the state of a view, kept in its address, so that it can be shared: ids, enums and dates,
 * and never personal data such as a name in a search.
 * @param given Default values; the address leaves them out.
 */
export function useViewState<View extends Record<string, string | undefined>>(
  given: View,
): [view: View, change: (changes: Partial<View>, options?: { push?: boolean }) => void] {
  const [defaults] = useState(given)
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const named = Object.keys(defaults).flatMap((name) =>
    search[name] === undefined ? [] : [[name, String(search[name])]],
  )
  const view = { ...defaults, ...Object.fromEntries(named) } as View
  const change = useCallback(
    (changes: Partial<View>, { push = false } = {}) => {
      const next = (old: Record<string, unknown>): Record<string, unknown> => {
        const all = { ...old, ...changes }
        return Object.fromEntries(
          Object.entries(all).filter(
            ([name, value]) => value !== undefined && value !== '' && value !== defaults[name],
          ),
        )
      }
      navigate({ to: '.', search: next as never, replace: !push, resetScroll: false })
    },
    [navigate, defaults],
  )
  return [view, change]
}
