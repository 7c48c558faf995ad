import { Button, NativeSelect } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLanguage } from '../../i18n/messages.ts'
import type { Regions } from '../link-client.ts'

type Field = 'username' | 'password' | 'email' | 'region'
type FieldErrors = Partial<Record<Field, string>>

/**
 * Returns the errors of the fields until one is changed; the first field with an error takes the
 * focus.
 * @param refused Errors of the last response.
 * @param refusals Number of error responses; each one shows the error again.
 */
export function useFieldErrors(refused: FieldErrors, refusals: number) {
  const form = useRef<HTMLFormElement>(null)
  const [seen, setSeen] = useState(0)
  const [missing, setMissing] = useState<{ fields: FieldErrors; submits: number }>({
    fields: {},
    submits: 0,
  })
  const { fields, submits } = missing
  useEffect(() => {
    if (submits + refusals === 0) return
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [submits, refusals])
  return {
    form,
    errors: { ...(refusals > seen && refused), ...fields },
    /** @returns whether there were no errors */
    check: (found: FieldErrors): boolean => {
      setSeen(refusals)
      setMissing({ fields: found, submits: submits + 1 })
      return Object.keys(found).length === 0
    },
    clear: (): void => {
      setSeen(refusals)
      setMissing({ fields: {}, submits })
    },
  }
}

/** A choice of the region of the account, in the language of the page. */
export function RegionField(props: {
  regions: Regions
  /** Chosen at first, instead of the usual region. */
  chosen?: string | undefined
  error: string | undefined
}): ReactNode {
  const { t, tag } = useLanguage()
  const { options, default: usual = '', others } = props.regions
  const names = new Intl.DisplayNames([tag], { type: 'region', fallback: 'code' })
  const entries = options
    .filter((code) => code !== others)
    .map((code) => ({ value: code, label: names.of(code.toUpperCase()) ?? code }))
    .sort((one, other) => one.label.localeCompare(other.label, tag))
  if (others !== undefined) entries.push({ value: others, label: t('region_others') })
  return (
    <NativeSelect
      name="region"
      size="md"
      label={t('field_region')}
      required
      withAsterisk={false}
      defaultValue={props.chosen ?? usual}
      data={[{ value: '', label: t('field_region_choose') }, ...entries]}
      error={props.error}
    />
  )
}

/** The buttons of a form: its own, which shows when the page waits, and back. */
export function FormActions(props: {
  isBusy: boolean
  label: string
  onBack: () => void
}): ReactNode {
  const { t } = useLanguage()
  return (
    <div className="actions">
      <Button type="submit" loading={props.isBusy}>
        {props.label}
      </Button>
      <Button variant="subtle" disabled={props.isBusy} onClick={props.onBack}>
        {t('back')}
      </Button>
    </div>
  )
}
