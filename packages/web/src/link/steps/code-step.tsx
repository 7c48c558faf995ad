import { Button, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useLanguage } from '../../i18n/messages.ts'
import { StepTitle } from '../../theme/page-frame.tsx'
import type { Step } from '../flow.machine.ts'

/** A form for the code that a provider has sent to the person. */
export function CodeStep(props: {
  step: Extract<Step, { name: 'code' }>
  isBusy: boolean
  onSubmit: (code: string) => void
  onResend: () => void
  onBack: () => void
}): ReactNode {
  const { t } = useLanguage()
  const { step, isBusy } = props
  const { mfa, tries } = step
  const provider = step.provider.name
  const input = useRef<HTMLInputElement>(null)
  const [seen, setSeen] = useState(0)
  const [isEmpty, setEmpty] = useState(false)
  useEffect(() => {
    if (tries > 0) input.current?.focus()
  }, [tries])
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (isBusy) return
    const code = input.current?.value.trim() ?? ''
    setEmpty(code === '')
    if (code === '') input.current?.focus()
    else props.onSubmit(code)
  }
  const error = isEmpty ? t('required_code') : tries > seen ? t('wrong_code') : undefined
  // A redacted number stays on one line.
  const hint = mfa.hint.replaceAll(' ', '\u00a0')
  const how = hint !== '' && (mfa.method === 'sms' || mfa.method === 'email') ? mfa.method : 'other'
  return (
    <form noValidate onSubmit={submit} className="form">
      <StepTitle>{t('code_title')}</StepTitle>
      <p>
        {mfa.method === 'totp'
          ? t('code_totp', { provider })
          : how === 'other'
            ? t('code_sent_other', { provider })
            : t(`code_sent_${how}`, { provider, hint })}
      </p>
      <TextInput
        // A wrong code is cleared, so that the next can be typed at once.
        key={tries}
        ref={input}
        name="code"
        size="md"
        className="code"
        label={t('field_code')}
        autoComplete="one-time-code"
        inputMode="numeric"
        spellCheck={false}
        maxLength={100}
        required
        withAsterisk={false}
        onChange={() => {
          setEmpty(false)
          setSeen(tries)
        }}
        error={error}
      />
      <div className="actions">
        <Button type="submit" loading={isBusy}>
          {t('code_submit')}
        </Button>
        <Button variant="subtle" disabled={isBusy} onClick={props.onResend}>
          {t('code_resend')}
        </Button>
        <Button variant="subtle" disabled={isBusy} onClick={props.onBack}>
          {t('back')}
        </Button>
      </div>
    </form>
  )
}
