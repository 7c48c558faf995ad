import type { FormEvent, ReactNode } from 'react'
import { useLanguage } from '../../i18n/messages.ts'
import { StepTitle } from '../../theme/page-frame.tsx'
import type { Step } from '../flow.machine.ts'
import { FormActions, RegionField, useFieldErrors } from './form-parts.tsx'

/**
 * Asks for the region of an account, for a provider with a sign-in page of its own in each. Each
 * refusal is a new step, which begins with the refused region and the error.
 */
export function RegionStep(props: {
  step: Extract<Step, { name: 'region' }>
  onSubmit: (region: string) => void
  onBack: () => void
}): ReactNode {
  const { t } = useLanguage()
  const { provider, refused } = props.step
  const { name } = provider
  const { form, errors, check, clear } = useFieldErrors(
    { region: t('wrong_region', { provider: name }) },
    refused === undefined ? 0 : 1,
  )
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const region = String(new FormData(event.currentTarget).get('region') ?? '')
    if (check(region === '' ? { region: t('required_region') } : {})) props.onSubmit(region)
  }
  return (
    <form ref={form} noValidate onSubmit={submit} onChange={clear} className="form">
      <StepTitle>{t('region_title', { provider: name })}</StepTitle>
      <p className="quiet">{t('region_intro', { provider: name })}</p>
      <RegionField
        regions={provider.form_components.region ?? { options: [] }}
        chosen={refused}
        error={errors.region}
      />
      <FormActions
        isBusy={false}
        label={t('region_submit', { provider: name })}
        onBack={props.onBack}
      />
    </form>
  )
}
