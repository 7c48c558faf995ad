import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { invalidFieldsOf } from '../../api/api-error.ts'
import { EventTypePicker } from '../event-types/event-type-picker.tsx'
import type { Webhook } from '../webhook-queries.ts'

/** Fields of an endpoint in a form. */
export interface WebhookInput {
  url: string
  description: string
  rateLimit: string
  types: readonly string[]
}

export const EMPTY_WEBHOOK: WebhookInput = { url: '', description: '', rateLimit: '', types: [] }

export function toInput({ url, description, rate_limit, filter_types }: Webhook): WebhookInput {
  return {
    url,
    description: description ?? '',
    rateLimit: rate_limit === null ? '' : String(rate_limit),
    types: filter_types ?? [],
  }
}

/** Returns the body that creates or changes the endpoint. */
export function toBody({ url, description, rateLimit, types }: WebhookInput) {
  return {
    url: url.trim(),
    description,
    rate_limit: rateLimit === '' ? null : Number(rateLimit),
    filter_types: types.length === 0 ? null : [...types],
  }
}

interface WebhookFieldsProps {
  fields: WebhookInput
  onChange: (fields: WebhookInput) => void
  /** Error of the server. */
  error: unknown
}

export function WebhookFields({ fields, onChange, error }: WebhookFieldsProps): ReactNode {
  const invalid = invalidFieldsOf(error)
  return (
    <>
      <TextInput
        label="Address"
        description="https address that is reachable from the internet; messages are sent there by POST."
        placeholder="https://example.com/salus"
        required
        type="url"
        autoComplete="off"
        maxLength={2048}
        value={fields.url}
        error={invalid.url}
        onChange={({ currentTarget }) => onChange({ ...fields, url: currentTarget.value })}
      />
      <TextInput
        label="Description"
        description="For your team, such as the system that receives the messages."
        autoComplete="off"
        maxLength={1000}
        value={fields.description}
        error={invalid.description}
        onChange={({ currentTarget }) => onChange({ ...fields, description: currentTarget.value })}
      />
      <EventTypePicker chosen={fields.types} onChange={(types) => onChange({ ...fields, types })} />
      <TextInput
        label="Maximum messages per second"
        description="Empty: without a limit."
        inputMode="numeric"
        pattern="[0-9]*"
        className="webhooks-short-field"
        value={fields.rateLimit}
        error={invalid.rate_limit}
        onChange={({ currentTarget }) => onChange({ ...fields, rateLimit: currentTarget.value })}
      />
    </>
  )
}
