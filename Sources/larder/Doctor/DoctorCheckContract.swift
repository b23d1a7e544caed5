/// One check of `larder doctor`, such as the check of the cache file.
protocol DoctorCheckContract: Sendable {
    /// Runs the check and returns its results. There is at least one result, even if there is no problem.
    func findings(for subject: DoctorSubject) async -> [DoctorFinding]
}
