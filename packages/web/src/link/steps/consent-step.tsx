import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLanguage } from '../../i18n/messages.ts'
import { StepTitle } from '../../theme/page-frame.tsx'

/** Shows what a person agrees to, before any request to a provider. */
export function ConsentStep(props: {
  team: string
  /** Name of the provider that the link fixes. */
  provider: string | undefined
  onAgree: () => void
  onCancel: () => void
}): ReactNode {
  const { t } = useLanguage()
  const { team, provider } = props
  const parts = [
    [t('consent_what'), t('consent_what_text')],
    [t('consent_whom'), t('consent_whom_text', { team })],
    [t('consent_why'), t('consent_why_text', { team })],
    [t('consent_end'), t('consent_end_text', { team })],
  ]
  return (
    <>
      <StepTitle>
        {provider === undefined
          ? t('consent_title', { team })
          : t('consent_title_provider', { provider, team })}
      </StepTitle>
      <dl className="consent">
        {parts.map(([term, text]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <div className="actions">
        <Button onClick={props.onAgree}>
          {provider === undefined ? t('consent_agree') : t('consent_agree_provider', { provider })}
        </Button>
        <Button variant="subtle" onClick={props.onCancel}>
          {t('cancel')}
        </Button>
      </div>
    </>
  )
}
