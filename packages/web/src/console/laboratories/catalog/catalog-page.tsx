import type { ReactNode } from 'react'
import { Page } from '../../components/page.tsx'

export function CatalogPage(): ReactNode {
  return <Page title="Catalog">{null}</Page>
}
