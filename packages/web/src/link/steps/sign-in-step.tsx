import { ActionIcon, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useLanguage } from '../../i18n/messages.ts'
import { StepTitle } from '../../theme/page-frame.tsx'
import type { FormError } from '../flow.machine.ts'
import type { PasswordGiven, Provider } from '../link-client.ts'
import { FormActions, RegionField, useFieldErrors } from './form-parts.tsx'

interface SignInProps {
  provider: Provider
  error: FormError | undefined
  /** Number of error responses; each one shows the error again. */
  refusals: number
  isBusy: boolean
  onBack: () => void
}

/** What a user must know before signing in, where it is not the usual. */
const INTROS: ReadonlyMap<string, 'password_intro_session' | 'password_intro_diary'> = new Map([
  ['renpho', 'password_intro_session'],
  ['my_fitness_pal', 'password_intro_diary'],
])

/**
 * A form for user name, password and, where the provider has several, the region. Missing values
 * are reported before a request.
 */
export function PasswordStep(
  props: SignInProps & { onSubmit: (given: PasswordGiven) => void },
): ReactNode {
  const { t } = useLanguage()
  const { provider, error, isBusy } = props
  const { name, slug } = provider
  const regions = provider.form_components.region
  const refused = {
    ...(error === 'wrong_region' && { region: t('wrong_region', { provider: name }) }),
    ...(error === 'wrong_credential' && { password: t('wrong_credential', { provider: name }) }),
  }
  const { form, errors, check, clear } = useFieldErrors(refused, props.refusals)
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (isBusy) return
    const given = new FormData(event.currentTarget)
    const [username, password, region] = ['username', 'password', 'region'].map((field) =>
      String(given.get(field) ?? ''),
    ) as [string, string, string]
    const missing = {
      ...(username.trim() === '' && { username: t('required_username') }),
      ...(password === '' && { password: t('required_password') }),
      ...(regions && region === '' && { region: t('required_region') }),
    }
    if (!check(missing)) return
    props.onSubmit({ username: username.trim(), password, region: region || null })
  }
  return (
    <form ref={form} noValidate onSubmit={submit} onChange={clear} className="form">
      <StepTitle>{t('password_title', { provider: name })}</StepTitle>
      <p className="quiet">{t(INTROS.get(slug) ?? 'password_intro', { provider: name })}</p>
      <TextInput
        name="username"
        size="md"
        label={t('field_username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={320}
        required
        withAsterisk={false}
        error={errors.username}
      />
      <PasswordField error={errors.password} />
      {regions && <RegionField regions={regions} error={errors.region} />}
      <FormActions {...props} label={t('password_submit')} />
    </form>
  )
}

/**
 * A form for providers that invite by e-mail: the address and, where the provider has several, the
 * region.
 */
export function EmailStep(
  props: SignInProps & { onSubmit: (email: string, region: string | null) => void },
): ReactNode {
  const { t } = useLanguage()
  const { provider, error, isBusy } = props
  const { name } = provider
  const regions = provider.form_components.region
  const refused = {
    ...(error === 'wrong_region' && { region: t('wrong_region', { provider: name }) }),
    ...(error === 'wrong_credential' && { email: t('wrong_email', { provider: name }) }),
  }
  const { form, errors, check, clear } = useFieldErrors(refused, props.refusals)
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (isBusy) return
    const given = new FormData(event.currentTarget)
    const email = String(given.get('email') ?? '').trim()
    const region = String(given.get('region') ?? '')
    const missing = {
      ...(!/^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(email) && { email: t('required_email') }),
      ...(regions && region === '' && { region: t('required_region') }),
    }
    if (!check(missing)) return
    props.onSubmit(email, region || null)
  }
  return (
    <form ref={form} noValidate onSubmit={submit} onChange={clear} className="form">
      <StepTitle>{t('email_title', { provider: name })}</StepTitle>
      <p className="quiet">{t('email_intro', { provider: name })}</p>
      <TextInput
        name="email"
        type="email"
        size="md"
        label={t('field_email')}
        autoComplete="email"
        maxLength={320}
        required
        withAsterisk={false}
        error={errors.email}
      />
      {regions && <RegionField regions={regions} error={errors.region} />}
      <FormActions {...props} label={t('password_submit')} />
    </form>
  )
}

function PasswordField({ error }: { error: string | undefined }): ReactNode {
  const { t } = useLanguage()
  const [isShown, setShown] = useState(false)
  return (
    <TextInput
      name="password"
      type={isShown ? 'text' : 'password'}
      size="md"
      label={t('field_password')}
      autoComplete="current-password"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={1024}
      required
      withAsterisk={false}
      error={error}
      rightSection={
        <ActionIcon
          variant="subtle"
          size="lg"
          aria-label={t('show_password')}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          <svg viewBox="0 0 24 24" width="20" height="20" className="eye" aria-hidden="true">
            <path d="M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12z" />
            <circle cx="12" cy="12" r="3" />
            {isShown && <path d="M4 4l16 16" />}
          </svg>
        </ActionIcon>
      }
    />
  )
}
