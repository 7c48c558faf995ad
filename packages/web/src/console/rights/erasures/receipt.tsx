import type { ReactNode } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { DocumentButton } from '../../components/document-button.tsx'
import { Section } from '../../components/page.tsx'
import type { Erasure } from './erasure-queries.ts'
import { RemovedAndKept } from './removed-and-kept.tsx'

const toFile = (value: unknown): Blob =>
  new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: 'application/json' })

const VERIFY = 'npx salus receipt verify erasure.json --keys receipt-keys.json'

/** Shows the receipt of an erasure, to save and to verify; renders nothing before it exists. */
export function Receipt({ erasure }: { erasure: Erasure }): ReactNode {
  const { team } = useEnvironment()
  const { statement } = erasure
  if (statement === null) return null
  return (
    <>
      <Section
        title="Receipt"
        description="Signed after both stores were searched again without a finding. It counts the data at the start of the erasure."
        actions={
          <>
            <DocumentButton
              title="Save receipt"
              fileName="erasure.json"
              load={async () => toFile(erasure)}
            />
            <DocumentButton
              title="Save public keys"
              fileName="receipt-keys.json"
              load={async () => toFile(await unwrapResponse(team.GET('/receipt_keys')))}
            />
          </>
        }
      >
        <RemovedAndKept findings={statement} />
      </Section>
      <Section
        title="Verification"
        description="Verify the receipt with both files on any machine; Salus is not involved. Keep the public keys away from the server: whoever controls the server could create others."
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
