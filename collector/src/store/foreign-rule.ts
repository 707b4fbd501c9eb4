/** A lifecycle rule of a bucket that somebody else made and that takes objects of ours away. */
export interface ForeignRule {
  /** its id, as its maker named it */
  readonly id: string;
  /** objects whose key begins so, as it stands in the bucket */
  readonly prefix: string;
  /** archives: they stay, and nobody can read them without restoring them first */
  readonly does: "deletes" | "archives";
}
