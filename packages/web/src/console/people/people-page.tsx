import type { ReactNode } from 'react'
import { Page } from '../components/page.tsx'

export function PeoplePage(): ReactNode {
  return <Page title="People">{null}</Page>
}
