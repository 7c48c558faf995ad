import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from './language.ts'
import type { Access } from './me-client.ts'

/** Why the page shows no data. */
export type EndReason =
  | 'session'
  | 'code'
  | 'share'
  | 'offline'
  | 'unavailable'
  | 'signed_out'
  | 'erase_scheduled'

interface EndProps {
  reason: EndReason
  access: Access | undefined
  /** The session was that of a share, whose link can be opened again. */
  isOfShare: boolean
  onRetry: () => void
}

/** The page without a session: says in plain words why, and what helps. */
export function EndPage({ reason, access, isOfShare, onRetry }: EndProps): ReactNode {
  const { t } = useTexts()
  const team = access?.team.name ?? t('the_team')
  const words: Record<EndReason, [title: string, text: string]> = {
    session: [t('end_session_title'), isOfShare ? t('end_share_session') : t('end_session')],
    code: [t('end_code_title'), t('end_code')],
    share: [t('end_share_title'), t('end_share')],
    offline: [t('page_title'), t('fail_offline')],
    unavailable: [t('page_title'), t('fail_unavailable')],
    signed_out: [t('signed_out_title'), t('signed_out', { team })],
    erase_scheduled: [t('erase_title'), t('erase_scheduled')],
  }
  const [title, text] = words[reason]
  return (
    <main className="me-end">
      <h1>{title}</h1>
      <p>{text}</p>
      {(reason === 'offline' || reason === 'unavailable') && (
        <Button onClick={onRetry}>{t('try_again')}</Button>
      )}
    </main>
  )
}
