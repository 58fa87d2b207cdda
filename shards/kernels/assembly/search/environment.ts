/** Not 0 when the time that the caller gave is up. */
// @ts-ignore: decorator
@external('env', 'isLate')
export declare function isLate(): u32;
