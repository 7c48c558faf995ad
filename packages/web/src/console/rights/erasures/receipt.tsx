import type { ReactNode } from 'react'
import { take } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { DocumentButton } from '../../components/document-button.tsx'
import { Section } from '../../components/page.tsx'
import type { Erasure } from './erasure-queries.ts'
import { RemovedAndKept } from './removed-and-kept.tsx'

const toFile = (value: unknown): Blob =>
  new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: 'application/json' })

const VERIFY = 'npx salus receipt verify erasure.json --keys receipt-keys.json'

/** The receipt of an erasure, to keep and to verify; nothing before there is one. */
export function Receipt({ erasure }: { erasure: Erasure }): ReactNode {
  const { team } = useEnvironment()
  const { statement } = erasure
  if (statement === null) return null
  return (
    <>
      <Section
        title="Receipt"
        description="Signed after both stores were looked through again and nothing was found. What it counts is what there was when the erasure began."
        actions={
          <>
            <DocumentButton
              title="Save the receipt"
              fileName="erasure.json"
              load={async () => toFile(erasure)}
            />
            <DocumentButton
              title="Save the public keys"
              fileName="receipt-keys.json"
              load={async () => toFile(await take(team.GET('/receipt_keys')))}
            />
          </>
        }
      >
        <RemovedAndKept told={statement} />
      </Section>
      <Section
        title="Verify it"
        description="With both files, on any machine, without asking Salus. Keep the public keys where the server is not: whoever owns the server could make others."
      >
        <div className="rights-command">
          <code>{VERIFY}</code>
          <CopyButton variant="subtle" value={VERIFY} />
        </div>
        <p className="quiet">
          The receipt is a JSON Web Signature with EdDSA (Ed25519), so openssl and other programs
          verify it too.
        </p>
      </Section>
    </>
  )
}
