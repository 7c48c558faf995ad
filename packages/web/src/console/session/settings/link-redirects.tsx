import { Textarea } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { invalidFieldsOf } from '../../api/api-error.ts'
import { useEnvironment } from '../../api/environment.ts'
import { useTeamSetting } from '../../api/team-settings.ts'
import { Failure } from '../../components/failure.tsx'
import { Section } from '../../components/page.tsx'
import { SaveButton } from './save-button.tsx'

/** Without any address the setting is null, and a link session may redirect anywhere. */
function listOf(text: string): string[] | null {
  const urls = text.split(/\s+/).filter((part) => part !== '')
  return urls.length === 0 ? null : urls
}

/** Addresses to which the link page may redirect. */
export function LinkRedirects({ kept }: { kept: readonly string[] | null }): ReactNode {
  const { env } = useEnvironment()
  const shown = kept?.join('\n') ?? ''
  const isClosed = kept?.length === 0
  const [text, setText] = useState(shown)
  const saving = useTeamSetting()
  const problems = Object.entries(invalidFieldsOf(saving.error))
  const problem = problems.find(([name]) => name.startsWith(`${env}.link_redirect_urls`))?.[1]
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    saving.mutate({ link_redirect_urls: listOf(text) })
  }
  return (
    <Section
      title="Redirects of the link page"
      description="People return to one of these addresses after they have connected an account. Without an address here a link may redirect anywhere."
    >
      {isClosed && <p>No address is allowed at present: every link ends on the page itself.</p>}
      <form className="settings-form" onSubmit={submit}>
        <Textarea
          label="Allowed addresses"
          description="One address a line, such as https://app.example.com/linked or my-app://linked. It allows the same scheme and host, and its path or one below."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          className="settings-form-wide"
          autosize
          minRows={2}
          spellCheck={false}
          value={text}
          error={problem}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <SaveButton isChanged={text.trim() !== shown || isClosed} isSaving={saving.isPending} />
        {saving.error !== null && <Failure error={saving.error} />}
      </form>
    </Section>
  )
}
