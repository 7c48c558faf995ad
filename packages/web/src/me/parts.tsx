import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTexts } from './language.ts'
import { MeRefusal } from './me-client.ts'
import { useMe } from './me-context.ts'

/** The heading of a section. It takes the focus when the section opens, so reading begins there. */
export function SectionTitle({ children }: { children: string }): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}

/** Shows a failed request in plain words. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }): ReactNode {
  const { t } = useTexts()
  const { access } = useMe()
  if (error === undefined) return null
  const status = error instanceof MeRefusal ? error.status : 500
  const text =
    status === 0
      ? t('fail_offline')
      : status >= 500
        ? t('fail_unavailable')
        : t('fail_refused', { team: access.team.name })
  return (
    <div className="me-problem" role="alert">
      <p>{text}</p>
      {onRetry && (
        <Button variant="outline" onClick={onRetry}>
          {t('try_again')}
        </Button>
      )}
    </div>
  )
}

/** What a section shows until its data are loaded. */
export function Loading(): ReactNode {
  const { t } = useTexts()
  return (
    <p className="me-quiet" role="status">
      {t('loading')}
    </p>
  )
}

interface ConfirmProps {
  /** Text of the button that asks. */
  label: string
  question: string
  /** Text of the button that confirms; by default the same. */
  confirm?: string
  isRunning: boolean
  onConfirm: () => void
}

/** A button that asks before it does something. */
export function ConfirmButton({
  label,
  question,
  confirm = label,
  isRunning,
  onConfirm,
}: ConfirmProps): ReactNode {
  const { t } = useTexts()
  const [isAsking, setAsking] = useState(false)
  if (!isAsking) {
    return (
      <Button variant="outline" loading={isRunning} onClick={() => setAsking(true)}>
        {label}
      </Button>
    )
  }
  return (
    <div className="me-confirm" role="alertdialog" aria-label={question}>
      <p>{question}</p>
      <div className="me-actions">
        <Button
          autoFocus
          onClick={() => {
            setAsking(false)
            onConfirm()
          }}
        >
          {confirm}
        </Button>
        <Button variant="outline" onClick={() => setAsking(false)}>
          {t('cancel')}
        </Button>
      </div>
    </div>
  )
}
