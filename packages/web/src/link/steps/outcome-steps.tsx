import { Button, Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLanguage } from '../../i18n/messages.ts'
import { StepTitle } from '../../theme/page-frame.tsx'
import { type FailureType, failurePageOf, type NextStep } from '../failures.registry.ts'
import { isPopup } from '../report.ts'
import type { Another } from '../use-another.ts'

interface Names {
  team: string
  provider: string
}

/** Shows that the page is waiting; the frame announces the reason. */
export function Waiting({ children }: { children: string }): ReactNode {
  return (
    <div className="waiting">
      <Loader size="md" color="var(--page-accent)" />
      <p aria-hidden="true">{children}</p>
    </div>
  )
}

const SIGNS = {
  done: 'M5 12.5l4.5 4.5L19 7.5',
  failed: 'M12 7v6M12 16.5v.5',
  closed: 'M7 12h10',
}

function Sign({ kind }: { kind: keyof typeof SIGNS }): ReactNode {
  return (
    <svg className={`sign sign-${kind}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={SIGNS[kind]} />
    </svg>
  )
}

/**
 * Shows that the account is connected. Without a redirect, the page offers to connect another one,
 * and closes itself, where a program opened it, or says that it can be closed.
 */
export function DoneStep(
  props: Names & { continueUrl: string | undefined; another: Another },
): ReactNode {
  const { t } = useLanguage()
  const { continueUrl, another, ...names } = props
  return (
    <>
      <Sign kind="done" />
      <StepTitle>{t('done_title', names)}</StepTitle>
      <p>{t('done_text', names)}</p>
      {continueUrl === undefined && !isPopup() && <p className="quiet">{t('you_can_close')}</p>}
      <div className="actions">
        {continueUrl !== undefined && (
          <Button component="a" href={continueUrl}>
            {t('done_return', names)}
          </Button>
        )}
        {continueUrl === undefined && isPopup() && (
          <Button onClick={() => window.close()}>{t('done_close')}</Button>
        )}
        {another.onStart !== undefined && (
          <Button variant="outline" loading={another.isBusy} onClick={another.onStart}>
            {t('connect_another')}
          </Button>
        )}
      </div>
    </>
  )
}

export function ClosedStep({ onStart }: { onStart: () => void }): ReactNode {
  const { t } = useLanguage()
  return (
    <>
      <Sign kind="closed" />
      <StepTitle>{t('closed_title')}</StepTitle>
      <p>{t('closed_text')}</p>
      <p className="quiet">{t('you_can_close')}</p>
      <div className="actions">
        <Button variant="subtle" onClick={onStart}>
          {t('start_again')}
        </Button>
      </div>
    </>
  )
}

/**
 * Shows a failure, with a button for each next step that is possible here; the best one is filled.
 */
export function FailureStep(
  props: Names & {
    failure: FailureType
    /** Steps that are possible here; other steps of the failure are hidden. */
    actions: Partial<Record<NextStep, () => void>>
  },
): ReactNode {
  const { t } = useLanguage()
  const { failure, actions, ...names } = props
  const { title, text, next } = failurePageOf(failure)
  const possible = next.filter((step) => actions[step] !== undefined)
  return (
    <>
      <Sign kind="failed" />
      <StepTitle>{t(title, names)}</StepTitle>
      <p>{t(text, names)}</p>
      {possible.length === 0 && <p className="quiet">{t('you_can_close')}</p>}
      <div className="actions">
        {possible.map((step, index) => (
          <Button
            key={step}
            variant={index === 0 ? 'filled' : 'subtle'}
            onClick={() => actions[step]?.()}
          >
            {t(step)}
          </Button>
        ))}
      </div>
    </>
  )
}
