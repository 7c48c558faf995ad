import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLanguage } from '../../i18n/messages.ts'
import { StepTitle } from '../../theme/page-frame.tsx'
import { appNameOf, appTextsOf } from '../app-providers.registry.ts'
import type { AppProvider } from '../link-client.ts'

/** Explains why the page cannot connect data on a phone, and what the person does there. */
export function AppStep(props: {
  team: string
  provider: AppProvider
  /** Undefined where the link has no other provider. */
  onChooseAnother: (() => void) | undefined
}): ReactNode {
  const { t } = useLanguage()
  const { team, onChooseAnother } = props
  const { slug } = props.provider
  const provider = appNameOf(slug) ?? props.provider.name
  const texts = appTextsOf(slug)
  return (
    <>
      <StepTitle>{t('app_title', { provider })}</StepTitle>
      <p>{t(`${texts}_why`, { team })}</p>
      <ol className="app-steps">
        <li>{t(`${texts}_open`, { team })}</li>
        <li>{t(`${texts}_allow`)}</li>
        <li>{t(`${texts}_end`)}</li>
      </ol>
      {onChooseAnother === undefined ? (
        <p className="quiet">{t('you_can_close')}</p>
      ) : (
        <div className="actions">
          <Button onClick={onChooseAnother}>{t('choose_another')}</Button>
        </div>
      )}
    </>
  )
}
