import { Textarea } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { invalidFieldsOf } from '../../api/api-error.ts'
import { useEnvironment } from '../../api/environment.ts'
import { useTeamSetting } from '../../api/team-settings.ts'
import { Failure } from '../../components/failure.tsx'
import { Section } from '../../components/page.tsx'
import { SaveButton } from './save-button.tsx'

type Kept = readonly string[] | null

/** Without any line the setting is null. */
function listOf(text: string): string[] | null {
  const lines = text.split(/\s+/).filter((part) => part !== '')
  return lines.length === 0 ? null : lines
}

/** A form for a setting that is a list of addresses, one a line. */
function AddressForm(props: {
  name: 'link_redirect_urls' | 'link_origins'
  label: string
  description: string
  kept: Kept
  /** Whether saving the list that is kept would change it. */
  canClear: boolean
}): ReactNode {
  const { env } = useEnvironment()
  const { name, kept } = props
  const shown = kept?.join('\n') ?? ''
  const [text, setText] = useState(shown)
  const saving = useTeamSetting()
  const problems = Object.entries(invalidFieldsOf(saving.error))
  const problem = problems.find(([field]) => field.startsWith(`${env}.${name}`))?.[1]
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    saving.mutate({ [name]: listOf(text) })
  }
  return (
    <form className="settings-form" onSubmit={submit}>
      <Textarea
        label={props.label}
        description={props.description}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        className="settings-form-wide"
        autosize
        minRows={2}
        spellCheck={false}
        value={text}
        error={problem}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <SaveButton isChanged={text.trim() !== shown || props.canClear} isSaving={saving.isPending} />
      {saving.error !== null && <Failure error={saving.error} />}
    </form>
  )
}

/** Addresses to which the link page may redirect. */
export function LinkRedirects({ kept }: { kept: Kept }): ReactNode {
  const isClosed = kept?.length === 0
  return (
    <Section
      title="Redirects of the link page"
      description="People return to one of these addresses after they have connected an account. Without an address here a link may redirect anywhere."
    >
      {isClosed && <p>No address is allowed at present: every link ends on the page itself.</p>}
      <AddressForm
        name="link_redirect_urls"
        label="Allowed addresses"
        description="One address a line, such as https://app.example.com/linked or my-app://linked. It allows the same scheme and host, and its path or one below."
        kept={kept}
        canClear={isClosed}
      />
    </Section>
  )
}

/** Origins whose pages may connect people themselves, or by a pop-up. */
export function LinkOrigins({ kept }: { kept: Kept }): ReactNode {
  return (
    <Section
      title="Pages that may connect people"
      description="Pages of these origins may send link tokens to Salus from a browser, and learn the outcome of a link page that they opened in a pop-up. Without an origin here no page elsewhere may."
    >
      <AddressForm
        name="link_origins"
        label="Allowed origins"
        description="One origin a line, such as https://app.example.com or http://localhost:3000: without a path, and with the port if it has one."
        kept={kept}
        canClear={false}
      />
    </Section>
  )
}
