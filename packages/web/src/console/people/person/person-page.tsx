import type { ReactNode } from 'react'
import { Page } from '../../components/page.tsx'

export function PersonPage(): ReactNode {
  return <Page title="Person">{null}</Page>
}
