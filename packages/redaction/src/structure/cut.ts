/** The end of an element of an array that is a member of a JSON text's outermost object. */
export interface Cut {
  /** where the array's content begins, behind its bracket */
  readonly from: number;
  /** behind the element */
  readonly at: number;
}
