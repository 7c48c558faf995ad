/** A provider of health care as the registry of NPIs (NPPES) knows it. */
export interface RegisteredProvider {
  npi: string
  kind: 'individual' | 'organization'
  /** False for an NPI that was deactivated. */
  isActive: boolean
  /** Null for an organization, as is the last name. */
  firstName: string | null
  lastName: string | null
  /** Former and professional last names. */
  otherLastNames: string[]
  /** Null for a person. */
  organizationName: string | null
  /** Such as `M.D.` */
  credential: string | null
  taxonomies: ProviderTaxonomy[]
}

/** A specialty of a provider, with the state licence that the provider gave for it. */
export interface ProviderTaxonomy {
  /** Code of the National Uniform Claim Committee, such as 207Q00000X. */
  code: string
  description: string | null
  isPrimary: boolean
  /** Two letters. */
  state: string | null
  license: string | null
}

/** A registry in which NPIs can be looked up. */
export interface NpiRegistry {
  /**
   * Returns the provider of an NPI; undefined for one that is not issued.
   * @throws PartnerFailure
   */
  find(npi: string, signal?: AbortSignal): Promise<RegisteredProvider | undefined>
}
