import { useState } from 'react'
import { useLanguage } from '../i18n/messages.ts'
import { continueLink } from './continue-link.ts'
import type { LinkClient } from './link-client.ts'

/** The button that starts a further link. */
export interface Another {
  /** Undefined where no further link can be started. */
  onStart: (() => void) | undefined
  isBusy: boolean
  /** What to say when it could not be started. */
  problem: string | undefined
}

export function useAnother(client: LinkClient, continuation: string | null | undefined): Another {
  const { t } = useLanguage()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  if (!continuation) return { onStart: undefined, isBusy, problem }
  const onStart = (): void => {
    setBusy(true)
    setProblem(undefined)
    continueLink(client, continuation).catch(() => {
      setBusy(false)
      setProblem(t('another_failed'))
    })
  }
  return { onStart, isBusy, problem }
}
